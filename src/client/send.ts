/** Carries one request to whoever answers it: the network, the engine in this process, or a test. */
export type Send = (request: Request) => Promise<Response>;
