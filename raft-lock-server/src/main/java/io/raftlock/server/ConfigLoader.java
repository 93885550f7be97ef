package io.raftlock.server;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
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
            JsonMapper.builder(YAML)
                    .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .withCoercionConfig(LogicalType.POJO, ConfigLoader::takeNothingForNull)
                    .withCoercionConfig(LogicalType.Collection, ConfigLoader::takeNothingForNull)
                    .build();

    private final Path file;

    private ConfigLoader(Path file) {
        this.file = file;
    }

    private static void takeNothingForNull(MutableCoercionConfig config) {
        config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.AsNull);
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
            throw empty();
        }
        Path folder = file.toAbsolutePath().getParent();
        try {
            return ConfigValues.of(parse(yaml), folder == null ? Path.of("/") : folder);
        } catch (ConfigException wrong) {
            throw wrong.key().isEmpty()
                    ? wrong
                    : wrong.in(file, KeyPlaces.of(yaml, YAML).lineOf(wrong.key()));
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
        try (JsonParser parser = YAML.createParser(yaml)) {
            ConfigFile found = MAPPER.readValue(parser, ConfigFile.class);
            if (found == null) {
                throw empty();
            }
            if (parser.nextToken() != null) {
                throw ConfigException.of(
                        file,
                        parser.currentTokenLocation().getLineNr(),
                        "found a second document, expected one",
                        null);
            }
            return found;
        } catch (UnrecognizedPropertyException unknown) {
            throw new ConfigException(keyOf(unknown), "unknown key" + expectedKeys(unknown));
        } catch (MismatchedInputException mismatch) {
            String key = keyOf(mismatch);
            String problem = expectedShape(mismatch.getTargetType());
            throw key.isEmpty()
                    ? ConfigException.of(file, lineOf(mismatch), problem, mismatch)
                    : new ConfigException(key, problem);
        } catch (JsonProcessingException malformed) {
            throw ConfigException.of(
                    file, lineOf(malformed), malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable); // not of a text in memory
        }
    }

    private ConfigException empty() {
        return ConfigException.of(
                file, "has no keys, expected at least node-id, data-dir and members", null);
    }

    private static String expectedShape(@Nullable Class<?> target) {
        if (target == String.class) {
            return "expected a single value, not a list or nested keys";
        }
        return target != null && Collection.class.isAssignableFrom(target)
                ? "expected a list, each entry after a dash"
                : "expected nested keys";
    }

    private static String expectedKeys(UnrecognizedPropertyException unknown) {
        Collection<Object> known = unknown.getKnownPropertyIds();
        return known == null
                ? ""
                : known.stream()
                        .map(Object::toString)
                        .sorted()
                        .collect(Collectors.joining(", ", ", expected one of ", ""));
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
}
