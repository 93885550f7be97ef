package io.raftlock.chaos.checker;

import java.util.List;

/** One thing that must hold in every run. Has no state: it can be asked about any run. */
public interface Check {
    /** Returns the number of the invariant that it serves, 1 to 15. */
    int invariant();

    /** Returns its name, a few words. */
    String title();

    /** Returns what must hold, in one line. */
    String description();

    /** Looks at the whole run. */
    Checked look(Evidence evidence);

    /** Returns what cannot have been, the first fifty. */
    default List<Violation> check(Evidence evidence) {
        return look(evidence).violations();
    }
}
