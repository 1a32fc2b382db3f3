// What the engine of generators imports: only a clock.

/** Microseconds since 1970. */
export const __rquickjs_host_now_us = (): number => Date.now() * 1_000;
