package io.raftlock.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.Set;
import java.util.function.LongSupplier;

/** The time of day has no say in what the client does: it jumps. */
class WallClockTest {
    private static final Set<String> CLASSES =
            Set.of(
                    "java.util.Date",
                    "java.util.Calendar",
                    "java.util.GregorianCalendar",
                    "java.util.Timer",
                    "java.sql.Timestamp");

    private static final ArchRule NOBODY_READS_IT =
            noClasses().should().accessTargetWhere(readsTheTimeOfDay());

    @BeforeAll
    static void namesOfTheClassesUsedAreEnough() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheTimeOfDay() {
        return DescribedPredicate.describe(
                "it reads the time of day",
                access -> readsTheTimeOfDay(access.getTargetOwner(), access.getName()));
    }

    private static boolean readsTheTimeOfDay(JavaClass owner, String method) {
        String name = owner.getFullName();
        return (name.equals("java.lang.System") && method.equals("currentTimeMillis"))
                || (name.startsWith("java.time.") && method.equals("now"))
                || (name.equals("java.time.Clock"))
                || CLASSES.contains(name);
    }

    @Test
    void nothingInTheClientOrTheProtocolReadsTheTimeOfDay() { // E29
        JavaClasses main =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.raftlock.client", "io.raftlock.protocol");
        assertThat(main.contain(SessionKeeper.class)).isTrue();
        assertThat(main.size()).isGreaterThan(50);
        NOBODY_READS_IT.check(main);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AsksSystem.class,
                AsksInstant.class,
                AsksLocalDateTime.class,
                AsksZonedDateTime.class,
                AsksClock.class,
                AsksDate.class,
                AsksCalendar.class,
                AsksByReference.class
            })
    void theRuleFindsWhoDoes(Class<?> asking) { // E29
        JavaClasses classes = new ClassFileImporter().importClasses(asking);
        assertThat(NOBODY_READS_IT.evaluate(classes).hasViolation()).isTrue();
    }

    private static final class AsksSystem {
        final long now = System.currentTimeMillis();
    }

    private static final class AsksInstant {
        final Instant now = Instant.now();
    }

    private static final class AsksLocalDateTime {
        final LocalDateTime now = LocalDateTime.now();
    }

    private static final class AsksZonedDateTime {
        final ZonedDateTime now = ZonedDateTime.now();
    }

    private static final class AsksClock {
        final Clock clock = Clock.systemUTC();
    }

    private static final class AsksDate {
        final Date now = new Date();
    }

    private static final class AsksCalendar {
        final Calendar now = Calendar.getInstance();
    }

    private static final class AsksByReference {
        final LongSupplier clock = System::currentTimeMillis;
    }
}
