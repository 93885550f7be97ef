/** For people and their tools: HTTP, read only. */
@NullMarked
package io.raftlock.server.admin;

import org.jspecify.annotations.NullMarked;
