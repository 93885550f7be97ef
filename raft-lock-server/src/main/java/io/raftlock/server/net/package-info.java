/** The front end: connections of clients, their requests, and what is pushed to them. */
@NullMarked
package io.raftlock.server.net;

import org.jspecify.annotations.NullMarked;
