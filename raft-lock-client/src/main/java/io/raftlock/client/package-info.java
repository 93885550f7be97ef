@NullMarked
package io.raftlock.client;

import org.jspecify.annotations.NullMarked;
