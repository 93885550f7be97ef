package io.raftlock.server;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Which parts of the server may use what. Rules hold for packages that do not exist yet, too. */
@AnalyzeClasses(packages = "io.raftlock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String LOCK = "io.raftlock.server.lock..";
    private static final String SESSION = "io.raftlock.server.session..";
    private static final String FORMAT = "io.raftlock.server.format..";
    private static final String RAFT = "io.raftlock.server.raft..";
    private static final String TRANSPORT = "io.raftlock.server.raft.transport..";
    private static final String NET = "io.raftlock.server.net..";
    private static final String ADMIN = "io.raftlock.server.admin..";
    private static final String WIRE = "io.raftlock.server.wire..";
    private static final String METRICS = "io.raftlock.server.metrics..";
    private static final String PROTOCOL = "io.raftlock.protocol..";

    private static final Set<Class<?>> UNORDERED_OR_BY_CHANCE =
            Set.of(HashMap.class, HashSet.class, Random.class, UUID.class);

    private static final Set<String> WALL_CLOCKS =
            Set.of(
                    "java.time.Clock",
                    "java.util.Date",
                    "java.util.Calendar",
                    "java.util.GregorianCalendar",
                    "java.util.Timer");

    /** The lock state machine depends on values only: a new library here is a decision. */
    @ArchTest
    static final ArchRule lockDependsOnValuesAlone =
            classes()
                    .that()
                    .resideInAPackage(LOCK)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                    LOCK,
                                    PROTOCOL,
                                    "java.lang..",
                                    "java.util",
                                    "java.util.function",
                                    "java.util.stream",
                                    "org.jspecify.."))
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule lockHasNoChanceNoThreadsAndNoUnorderedCollections =
            noClasses()
                    .that()
                    .resideInAPackage(LOCK)
                    .should()
                    .dependOnClassesThat(
                            describe(
                                    "draw numbers, run on threads or iterate without order",
                                    ArchitectureTest::isImpure))
                    .allowEmptyShould(true);

    private static boolean isImpure(JavaClass used) {
        return UNORDERED_OR_BY_CHANCE.stream().anyMatch(used::isEquivalentTo)
                || used.isAssignableTo(Thread.class)
                || used.isEquivalentTo(ThreadLocal.class)
                || used.getName().equals("java.util.SplittableRandom")
                || used.getName().equals("java.util.Timer");
    }

    @ArchTest
    static final ArchRule lockAsksForNoTime =
            noClasses()
                    .that()
                    .resideInAPackage(LOCK)
                    .should()
                    .accessTargetWhere(
                            describe(
                                    "it asks for the time",
                                    access -> access.getName().equals("nanoTime")))
                    .allowEmptyShould(true);

    /** However it is read: calls and method references are both accesses. */
    @ArchTest
    static final ArchRule noWallClockWhereTimeDecides = // E28
            noClasses()
                    .that()
                    .resideInAnyPackage(LOCK, SESSION, RAFT, NET)
                    .should()
                    .accessTargetWhere(
                            describe(
                                    "it reads the time of day",
                                    access ->
                                            readsTheTimeOfDay(
                                                    access.getTargetOwner(), access.getName())))
                    .allowEmptyShould(true);

    private static boolean readsTheTimeOfDay(JavaClass owner, String method) {
        String name = owner.getFullName();
        return name.equals("java.lang.System") && method.equals("currentTimeMillis")
                || name.startsWith("java.time.") && method.equals("now")
                || WALL_CLOCKS.contains(name);
    }

    @ArchTest
    static final ArchRule theEngineIsUsedInOnePackage =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(RAFT)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("com.alipay..", "org.rocksdb..")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule channelsAreUsedWhereTheWireIs =
            noClasses()
                    .that(
                            are(
                                    resideInAnyPackage("io.raftlock.server..")
                                            .and(
                                                    resideOutsideOfPackages(
                                                            NET, TRANSPORT, ADMIN, WIRE))))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.netty.channel..", "io.netty.bootstrap..")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule sessionKnowsTheLocksAlone =
            serverDependencies(SESSION, LOCK, SESSION, METRICS);

    @ArchTest
    static final ArchRule formatKnowsTheLocksAlone = serverDependencies(FORMAT, LOCK, FORMAT);

    @ArchTest
    static final ArchRule theEngineKnowsTheLocksAndTheirFormat =
            serverDependencies(RAFT, LOCK, FORMAT, RAFT, WIRE, METRICS);

    @ArchTest
    static final ArchRule theFrontEndsDoNotKnowEachOther =
            serverDependencies(NET, LOCK, SESSION, RAFT, NET, WIRE, METRICS);

    @ArchTest static final ArchRule theWireKnowsNobody = serverDependencies(WIRE, WIRE);

    @ArchTest static final ArchRule theCoreDoesNotKnowTheRest = serverDependencies(LOCK, LOCK);

    @ArchTest
    static final ArchRule nobodyUnderTheRootKnowsTheRoot =
            noClasses()
                    .that()
                    .resideInAPackage("io.raftlock.server.*..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.raftlock.server")
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.raftlock.server.(*)..")
                    .should()
                    .beFreeOfCycles()
                    .allowEmptyShould(true);

    /** Of this server's packages, the one may use only the others. */
    private static ArchRule serverDependencies(String from, String... to) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat(
                        are(
                                resideInAnyPackage("io.raftlock.server..")
                                        .and(resideOutsideOfPackages(to))))
                .allowEmptyShould(true);
    }
}
