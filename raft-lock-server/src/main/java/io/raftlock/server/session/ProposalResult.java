package io.raftlock.server.session;

/** What became of a proposal of the ticker. */
public enum ProposalResult {
    /** In the log and applied, with whatever outcome. */
    APPLIED,
    /** Not in the log, and never will be. */
    NOT_APPENDED,
    /** This node has lost sight of it: it may be applied at any time. */
    UNKNOWN
}
