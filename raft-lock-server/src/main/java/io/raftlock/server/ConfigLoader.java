package io.raftlock.server;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Collectors;

/** Reads a node's configuration from a YAML file. */
public final class ConfigLoader {
    private static final long MAX_FILE_BYTES = 1 << 20;

    private static final YAMLFactory YAML =
            YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    private static final ObjectMapper MAPPER =
            new ObjectMapper(YAML)
                    .setPropertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Path file;

    private ConfigLoader(Path file) {
        this.file = file;
    }

    /**
     * Reads the file and checks all of it. Writes nothing.
     *
     * @throws ConfigException if the file cannot be read or anything in it is wrong
     */
    public static ServerConfig load(Path file) {
        return new ConfigLoader(file).load();
    }

    private ServerConfig load() {
        String yaml = read();
        if (yaml.lines().allMatch(line -> line.isBlank() || line.strip().startsWith("#"))) {
            throw ConfigException.of(
                    file, "has no keys, expected at least node-id, data-dir and members", null);
        }
        ConfigFile found = parse(yaml);
        try {
            Path folder = file.toAbsolutePath().getParent();
            return ConfigValues.of(found, folder == null ? Path.of("/") : folder);
        } catch (ConfigException wrong) {
            throw wrong.in(file, lineOf(wrong.key(), yaml));
        }
    }

    private String read() {
        if (Files.isDirectory(file)) {
            throw ConfigException.of(file, "is a directory, expected a YAML file", null);
        }
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw ConfigException.of(file, "is larger than 1 MiB, expected a YAML file", null);
            }
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw ConfigException.of(
                    file, "does not exist: give the path of a node's configuration", missing);
        } catch (CharacterCodingException binary) {
            throw ConfigException.of(file, "is not text in UTF-8, expected a YAML file", binary);
        } catch (IOException unreadable) {
            throw ConfigException.of(
                    file,
                    "cannot be read (%s): let the user of the node read it"
                            .formatted(unreadable.getClass().getSimpleName()),
                    unreadable);
        }
    }

    private ConfigFile parse(String yaml) {
        try {
            // Not null: the text has more than comments, and "null" itself does not map.
            ConfigFile found = MAPPER.readValue(yaml, ConfigFile.class);
            if (found == null) {
                throw ConfigException.of(file, "has no keys, expected node-id and others", null);
            }
            return found;
        } catch (UnrecognizedPropertyException unknown) {
            throw new ConfigException(keyOf(unknown), "unknown key, " + expectedKeys(unknown))
                    .in(file, lineOf(unknown));
        } catch (MismatchedInputException mismatch) {
            throw shapeError(mismatch);
        } catch (JsonProcessingException malformed) {
            throw ConfigException.of(
                    file, lineOf(malformed), malformed.getOriginalMessage(), malformed);
        }
    }

    private ConfigException shapeError(MismatchedInputException mismatch) {
        String key = keyOf(mismatch);
        Class<?> target = mismatch.getTargetType();
        String problem = "expected nested keys";
        if (target == String.class) {
            problem = "expected a single value, not a list or nested keys";
        } else if (target != null && Collection.class.isAssignableFrom(target)) {
            problem = "expected a list, each entry after a dash";
        }
        return key.isEmpty()
                ? ConfigException.of(file, lineOf(mismatch), problem, mismatch)
                : new ConfigException(key, problem).in(file, lineOf(mismatch));
    }

    private static String expectedKeys(UnrecognizedPropertyException unknown) {
        Collection<Object> known = unknown.getKnownPropertyIds();
        return known == null
                ? "remove it"
                : "expected one of "
                        + known.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    private static String keyOf(JsonMappingException wrong) {
        StringBuilder key = new StringBuilder();
        for (JsonMappingException.Reference step : wrong.getPath()) {
            if (step.getFieldName() == null) {
                key.append('[').append(step.getIndex()).append(']');
            } else {
                key.append(key.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return key.toString();
    }

    private static int lineOf(JsonProcessingException wrong) {
        JsonLocation location = wrong.getLocation();
        return location == null ? 0 : Math.max(0, location.getLineNr());
    }

    private static int lineOf(String key, String yaml) {
        try {
            return KeyPlaces.of(yaml, YAML).lineOf(key);
        } catch (IOException unreadable) {
            return 0;
        }
    }
}
