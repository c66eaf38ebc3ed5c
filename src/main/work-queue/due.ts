/** Maximum wait time: the provider may request an hour. In milliseconds. */
const maxWaitMs = 2 * 3_600_000

/**
 * Whether a moment has been reached; one further ahead than the maximum wait was planned by a clock that has been set back since.
 */
export const isDue = (at: number, now: number): boolean => at <= now || at - now > maxWaitMs
