@NullMarked
package io.raftlock.server;

import org.jspecify.annotations.NullMarked;
