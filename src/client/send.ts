/**
 * Carries one request to whoever answers it: the network, the engine in this process, or a test. The signal
 * ends the wait for an answer; it is not the request's own, which would cost more than all the rest of a call.
 */
export type Send = (request: Request, signal: AbortSignal) => Promise<Response>;
