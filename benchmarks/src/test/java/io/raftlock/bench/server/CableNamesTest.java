package io.raftlock.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CableNamesTest {
    private static final CableNames NAMES = new CableNames(4_194_304);

    @Test
    void aNamespaceTellsWhoseItIsAndOtherNamesTellNothing() {
        assertThat(NAMES.namespaces(3))
                .hasSize(4)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(CableNames.ofNamespace(name)).contains(NAMES));
        assertThat(CableNames.ofNamespace("rl-k3-m2-1-switch")).isEmpty();
        assertThat(CableNames.ofNamespace("rlbench-s1")).isEmpty();
    }

    @Test
    void theNameOfAnInterfaceIsNoLongerThanTheKernelTakes() {
        assertThat(NAMES.uplink()).hasSizeLessThanOrEqualTo(15);
    }

    @Test
    void allAddressesAreInOneNetwork() {
        assertThat(new CableNames(333).network()).isEqualTo("10.213.77.0/24");
        assertThat(new CableNames(333).address(2)).isEqualTo("10.213.77.2");
        assertThat(new CableNames(333).clientAddress()).isEqualTo("10.213.77.254/24");
    }
}
