package io.raftlock.client;

/**
 * No node that leads the cluster was found in time. The call has no lasting effect: what may have
 * reached the cluster is taken back in the background. The message names the nodes that were tried.
 */
public final class ClusterUnavailableException extends LockException {
    ClusterUnavailableException(String message) {
        super(message);
    }
}
