package io.raftlock.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that one owner in the whole cluster holds at a time. It is used in one of two ways, which
 * exclude each other:
 *
 * <ul>
 *   <li>As a {@link Lock}: owned by the thread and reentrant. All locks of one name that one client
 *       hands out share a thread's hold. A thread (virtual threads too) is an owner of its own.
 *   <li>By a {@link LockGrant}: owned by whoever has that object, not reentrant.
 * </ul>
 *
 * <p>A hold lasts until it is released, its session is lost, or its {@link AcquireOptions#maxHold}
 * is over. From the moment at which it is lost by this process's clock, {@link
 * #isHeldByCurrentThread} is false and {@link #holdCount} is 0. {@link #lock} by the same thread
 * then waits anew, in a new session, and does not count up; each {@link #unlock} that is still owed
 * for the lost hold throws {@link LockLostException}, after those of the new hold.
 *
 * <p>Waits are fair: first come, first served over the whole cluster. Objects are safe for use by
 * several threads. All methods that wait, except where stated, go on looking for the cluster while
 * no node answers. All methods throw {@link IllegalStateException} if the client is closed before
 * or while they run.
 */
public interface DistributedLock extends Lock {

    /** Returns the name of the lock. */
    String name();

    /**
     * Waits for the lock and takes it for this thread. Not interruptible: an interrupt does not end
     * the wait, and the flag is set on return.
     *
     * @throws SessionExpiredException if the session was lost while waiting
     * @throws LockRefusedException if the cluster refused
     */
    @Override
    void lock();

    /**
     * Waits for the lock as {@link #lock} does, until interrupted. An interrupted call owns nothing
     * and leaves no place in the queue; what may have reached the cluster is taken back in the
     * background.
     *
     * @throws InterruptedException if the thread was interrupted before it had the lock
     * @throws SessionExpiredException if the session was lost while waiting
     * @throws LockRefusedException if the cluster refused
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Takes the lock for this thread if nobody holds it or waits for it. Asks the cluster, and so
     * waits for its answer. Not interruptible.
     *
     * @return whether this thread has the lock
     * @throws ClusterUnavailableException if no answer came within the client's request timeout
     * @throws SessionExpiredException if the session was lost before the answer came
     * @throws LockRefusedException if the cluster refused for another reason than that it is taken
     */
    @Override
    boolean tryLock();

    /**
     * Waits for the lock as {@link #lockInterruptibly} does, but no longer than the given time by
     * this process's monotonic clock. When the time is over it returns at once, and its place in
     * the queue, or the lock itself if it is granted too late, is given back in the background. A
     * time of zero or less is one try without waiting in the queue, like {@link #tryLock()}.
     *
     * @return whether this thread has the lock; false also if the cluster was not reached in that
     *     time
     * @throws InterruptedException if the thread was interrupted before it had the lock
     * @throws ClusterUnavailableException if the time is not positive and no answer came within the
     *     client's request timeout
     * @throws SessionExpiredException if the session was lost while waiting
     * @throws LockRefusedException if the cluster refused
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Gives up one of this thread's holds. The last one frees the lock: it waits until the cluster
     * says that it is free, or until the session's lease is over, whichever is first. Not
     * interruptible; the flag stays set.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws LockLostException if this thread held the lock and lost it, or if the lease ended
     *     before the cluster answered
     * @throws OutcomeUnknownException if the client is being closed and the cluster is not reached
     */
    @Override
    void unlock();

    /**
     * Returns the token of this thread's hold.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws LockLostException if this thread held the lock and lost it
     */
    FencingToken fencingToken();

    /** Tells whether this thread holds the lock, by the clock of this process. */
    boolean isHeldByCurrentThread();

    /** Returns how many {@link #unlock} calls free the lock; 0 if this thread does not hold it. */
    int holdCount();

    /**
     * Waits for the lock until interrupted. An interrupted call owns nothing.
     *
     * <p>Unlike the methods of {@link Lock} this does not throw {@link InterruptedException}: it
     * throws {@link java.util.concurrent.CancellationException} with the interrupt flag set.
     *
     * @return the grant, which is to be released
     * @throws java.util.concurrent.CancellationException if the thread was interrupted before it
     *     had the lock
     * @throws SessionExpiredException if the session was lost while waiting
     * @throws LockRefusedException if the cluster refused
     */
    default LockGrant acquire() {
        return acquire(AcquireOptions.defaults());
    }

    /**
     * Waits for the lock as {@link #acquire()} does.
     *
     * @param options how long the hold may last at most, and more
     * @throws LockLostException if {@link AcquireOptions#maxHold} was over before the grant arrived
     */
    LockGrant acquire(AcquireOptions options);

    /**
     * Waits for the lock as {@link #acquire()} does, but no longer than the given time. When that
     * is over it returns at once, and its place in the queue, or the lock if it is granted too
     * late, is given back in the background. A time of zero or less is one try without waiting in
     * the queue.
     *
     * @param longest how long to wait, by this process's monotonic clock
     * @return the grant, or empty if the lock, or the cluster, was not to be had in that time
     * @throws ClusterUnavailableException if the time is not positive and no answer came within the
     *     client's request timeout
     * @throws java.util.concurrent.CancellationException if the thread was interrupted before it
     *     had the lock
     * @throws SessionExpiredException if the session was lost while waiting
     * @throws LockRefusedException if the cluster refused
     */
    default Optional<LockGrant> tryAcquire(Duration longest) {
        return tryAcquire(longest, AcquireOptions.defaults());
    }

    /**
     * Waits for the lock as {@link #tryAcquire(Duration)} does.
     *
     * @param longest how long to wait
     * @param options how long the hold may last at most, and more
     * @return the grant, or empty also if {@link AcquireOptions#maxHold} was over before it arrived
     */
    Optional<LockGrant> tryAcquire(Duration longest, AcquireOptions options);

    /**
     * Starts to wait for the lock. Cancelling the future, or completing it in any other way, gives
     * the place in the queue or the lock back. So does ending a stage made of it, as in {@code
     * acquireAsync().thenCompose(work).orTimeout(...)}, while the wait goes on: what was to use the
     * grant would not run. A {@link CompletableFuture#copy copy} can be ended without that.
     * Dependents run on the client's callback executor.
     *
     * @return completes with the grant; fails as {@link #acquire()} does
     */
    default CompletableFuture<LockGrant> acquireAsync() {
        return acquireAsync(AcquireOptions.defaults());
    }

    /**
     * Starts to wait for the lock as {@link #acquireAsync()} does.
     *
     * @param options how long the hold may last at most, and more
     */
    CompletableFuture<LockGrant> acquireAsync(AcquireOptions options);

    /**
     * Starts to wait for the lock as {@link #acquireAsync()} does, but no longer than the given
     * time.
     *
     * @param longest how long to wait; zero or less is one try without waiting in the queue
     * @return completes with the grant, or empty if the lock, or the cluster, was not to be had in
     *     that time; fails as {@link #tryAcquire(Duration)} does
     */
    default CompletableFuture<Optional<LockGrant>> tryAcquireAsync(Duration longest) {
        return tryAcquireAsync(longest, AcquireOptions.defaults());
    }

    /**
     * Starts to wait for the lock as {@link #tryAcquireAsync(Duration)} does.
     *
     * @param longest how long to wait
     * @param options how long the hold may last at most, and more
     */
    CompletableFuture<Optional<LockGrant>> tryAcquireAsync(
            Duration longest, AcquireOptions options);

    /**
     * Is not supported: a condition would have to be told over the whole cluster.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }
}
