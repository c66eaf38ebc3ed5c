/** Longer than anything that is waited for: the service may ask for an hour. In milliseconds. */
const maxWaitMs = 2 * 3_600_000

/** True when a moment has come; one that lies further ahead than anything waits for was planned by a clock that has been set back since. */
export const isDue = (at: number, now: number): boolean => at <= now || at - now > maxWaitMs
