package io.raftlock.chaos.report;

/** Counts calls by how they ended. */
final class Tally {
    private long ok;
    private long fail;
    private long info;
    private long open;

    void add(Call call) {
        if (call.answer() == null) {
            open++;
            return;
        }
        switch (call.answer().result()) {
            case OK -> ok++;
            case FAIL -> fail++;
            case INFO -> info++;
        }
    }

    OperationCount count(String action) {
        return new OperationCount(action, ok, fail, info, open);
    }

    PhaseRate rate(PhaseSpan phase) {
        double seconds = phase.span().seconds();
        return new PhaseRate(
                phase.phase().name(),
                seconds,
                perSecond(ok, seconds),
                perSecond(fail, seconds),
                perSecond(info, seconds));
    }

    private static double perSecond(long count, double seconds) {
        return seconds > 0 ? count / seconds : 0;
    }
}
