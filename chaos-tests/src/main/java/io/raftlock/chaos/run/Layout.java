package io.raftlock.chaos.run;

/** What the hosts of a run are. */
public enum Layout {
    /** Network namespaces of this machine, with disks of their own. Needs root. */
    NETNS,
    /** Addresses of 127.0.0.0/8 with proxies between them, and folders. Needs no right. */
    LOOPBACK
}
