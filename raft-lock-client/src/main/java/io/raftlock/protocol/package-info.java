@NullMarked
package io.raftlock.protocol;

import org.jspecify.annotations.NullMarked;
