package io.raftlock.chaos.fault;

import io.raftlock.chaos.host.ProcessControl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Faults of processes as a whole. Owned by the driver's thread. */
final class ProcessFaults {
    private static final Duration STOP_BOUND = Duration.ofSeconds(12);

    private final ProcessControl control;

    ProcessFaults(ProcessControl control) {
        this.control = control;
    }

    /** Kills those that run; at the end they are started again. */
    static Active kill(List<Victim> victims) {
        return kill(victims, () -> {});
    }

    /**
     * Kills those that run; at the end they are started again.
     *
     * @param beforeStart what else is done while they are down
     */
    static Active kill(List<Victim> victims, Runnable beforeStart) {
        List<Victim> killed = victims.stream().filter(Victim::isRunning).toList();
        List<Long> pids = killed.stream().map(Victim::pid).toList();
        killed.forEach(Victim::kill);
        return () -> {
            beforeStart.run();
            killed.stream().filter(victim -> !victim.isRunning()).forEach(Victim::start);
            return pids.isEmpty() ? "" : "killed the processes " + pids;
        };
    }

    /** Has those that run stop in good order; at the end they are started again. */
    static Active stop(List<Victim> victims) {
        List<Victim> stopped = victims.stream().filter(Victim::isRunning).toList();
        stopped.forEach(Victim::stop);
        return () -> {
            List<Integer> codes =
                    stopped.stream().map(victim -> victim.awaitExit(STOP_BOUND)).toList();
            stopped.forEach(Victim::start);
            return codes.isEmpty() ? "" : "stopped, with the exit codes " + codes;
        };
    }

    /** Makes those that run stand still by a signal. */
    Active pause(List<Victim> victims) {
        return new Standing(
                victims, pid -> control.signal(pid, "STOP"), pid -> control.signal(pid, "CONT"));
    }

    /** Stops those that run where they are; they are to be killed next. */
    void halt(List<Victim> victims) {
        victims.stream()
                .filter(Victim::isRunning)
                .forEach(victim -> control.signal(victim.pid(), "STOP"));
    }

    /** Makes those that run stand still by the freezer. */
    Active freeze(List<Victim> victims) {
        return new Standing(victims, control::freeze, control::thaw);
    }

    /** Gives those that run a part of a processor, in percent. */
    Active starve(List<Victim> victims, int percent) {
        List<Long> pids = victims.stream().filter(Victim::isRunning).map(Victim::pid).toList();
        pids.forEach(pid -> control.cpuPercent(pid, percent));
        return () -> {
            long millis = pids.stream().mapToLong(pid -> control.throttled(pid).toMillis()).sum();
            pids.forEach(control::unlimited);
            return millis > 0 ? "kept from running for " + millis + " ms" : "";
        };
    }

    private interface OfProcess {
        void on(long pid);
    }

    private final class Standing implements Active {
        private final List<Victim> victims;
        private final List<Long> pids;
        private final List<String> states = new ArrayList<>();
        private final OfProcess resume;

        Standing(List<Victim> all, OfProcess pause, OfProcess resume) {
            victims = all.stream().filter(Victim::isRunning).toList();
            pids = victims.stream().map(Victim::pid).toList();
            this.resume = resume;
            pids.forEach(pause::on);
            pids.forEach(pid -> states.add(stateOf(pid)));
        }

        private String stateOf(long pid) {
            return pid
                    + (control.isFrozen(pid) ? " is frozen" : " is in state " + control.state(pid));
        }

        @Override
        public String end() {
            for (int i = 0; i < pids.size(); i++) {
                // One that another fault has killed meanwhile is another process now.
                if (victims.get(i).isRunning() && victims.get(i).pid() == pids.get(i)) {
                    resume.on(pids.get(i));
                }
            }
            boolean allStood =
                    states.stream()
                            .allMatch(state -> state.endsWith("frozen") || state.endsWith("T"));
            return allStood ? String.join(", ", states) : "";
        }
    }
}
