package io.raftlock.chaos.net;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What nftables is told, as text: one table for the packets that cross the switch, and one for
 * those that leave it, which can be sent twice. Each transaction takes effect as a whole.
 */
final class PacketFilter {
    private static final String SWITCH =
            """
            table bridge chaos {
              counter cuts { }
              counter losses { }
              counter slowed { }
              set cut { type ipv4_addr . ipv4_addr; }
              chain shapes {
              }
              chain crossing {
                type filter hook forward priority 0;
                ip saddr . ip daddr @cut counter name cuts drop
                jump shapes
              }
            }
            """;

    private final Ports ports;
    private final boolean duplicates;

    /**
     * @param duplicates whether packets are to be sent twice, ever
     */
    PacketFilter(Ports ports, boolean duplicates) {
        this.ports = ports;
        this.duplicates = duplicates;
    }

    /** Returns what makes the tables, which let all through. */
    String tables() {
        return duplicates ? SWITCH + leaving() : SWITCH;
    }

    /** Returns what cuts exactly these links. */
    String cut(Set<Link> links) {
        String flush = "flush set bridge chaos cut\n";
        if (links.isEmpty()) {
            return flush;
        }
        String pairs =
                links.stream()
                        .sorted()
                        .map(link -> from(link).address() + " . " + to(link).address())
                        .collect(Collectors.joining(", "));
        return flush + "add element bridge chaos cut { " + pairs + " }\n";
    }

    /** Returns what gives exactly these links losses and duplicates, and marks slow ones. */
    String shape(Map<Link, Shape> shapes) {
        StringBuilder script = new StringBuilder("flush chain bridge chaos shapes\n");
        if (duplicates) {
            for (Port port : ports.all()) {
                script.append("flush chain netdev leaving " + port.device() + "\n");
            }
        }
        shapes.forEach((link, shape) -> script.append(rules(link, shape)));
        return script.toString();
    }

    private String leaving() {
        String chains = ports.all().stream().map(PacketFilter::chain).collect(Collectors.joining());
        return "table netdev leaving {\n  counter twice { }\n" + chains + "}\n";
    }

    private static String chain(Port port) {
        return """
              chain %1$s {
                type filter hook egress device "%1$s" priority 0;
              }
            """
                .formatted(port.device());
    }

    private String rules(Link link, Shape shape) {
        String pair =
                "ip saddr %s ip daddr %s ".formatted(from(link).address(), to(link).address());
        StringBuilder rules = new StringBuilder();
        if (shape.lossPercent() > 0) {
            rules.append("add rule bridge chaos shapes ")
                    .append(pair)
                    .append(share(shape.lossPercent()))
                    .append("counter name losses drop\n");
        }
        if (shape.bytesPerSecond() > 0) {
            rules.append("add rule bridge chaos shapes ")
                    .append(pair)
                    .append("counter name slowed meta priority set ")
                    .append(from(link).queue())
                    .append('\n');
        }
        if (shape.duplicatePercent() > 0) {
            String device = to(link).device();
            // The second one comes by here, too; by its mark it is known, and does not come again.
            rules.append("add rule netdev leaving %s ".formatted(device))
                    .append(pair)
                    .append("meta mark 0 ")
                    .append(share(shape.duplicatePercent()))
                    .append("meta mark set 1 counter name twice dup to \"%s\"\n".formatted(device));
        }
        return rules.toString();
    }

    private static String share(int percent) {
        return "numgen random mod 100 < " + percent + " ";
    }

    private Port from(Link link) {
        return ports.of(link.from());
    }

    private Port to(Link link) {
        return ports.of(link.to());
    }
}
