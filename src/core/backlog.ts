/**
 * Connections that the system completes before a listener accepts them; Linux limits it to `net.core.somaxconn`. Node.js accepts one connection
 * in a turn of the event loop. With its default of 511, clients beyond that try again after a second.
 */
export const connectionBacklog = 4_096;
