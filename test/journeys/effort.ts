/** What a person does in a journey, counted. */
export interface Effort {
  readonly clicks: number
  /** Keys and shortcuts; typed text is counted in `characters`. */
  readonly keys: number
  readonly fields: number
  readonly characters: number
  /** Pages opened. */
  readonly pages: number
  /** Dialogs opened, also those of the system. */
  readonly dialogs: number
  /** What must be read and answered before the journey continues: fields and choices. */
  readonly decisions: readonly string[]
}

/** A measured part of a journey. */
export interface PartResult {
  readonly name: string
  readonly goal: string
  readonly effort: Effort
  /** Time in which the person waits for the app. */
  readonly appSeconds: number
  readonly steps: readonly Step[]
}

/** An action, and the seconds until the app was ready for it. */
export interface Step {
  readonly action: string
  readonly waitedSeconds: number
}

/**
 * Seconds of an average person: S. K. Card, T. P. Moran and A. Newell, “The keystroke-level model for user performance time with
 * interactive systems”, Communications of the ACM 23 (1980), 396–410. The press of a mouse button as an operator of its own is from
 * later forms of the model. Moving the hand between mouse and keyboard is not counted.
 */
const operatorSeconds = { key: 0.28, pointing: 1.1, press: 0.1, decision: 1.35 } as const

/** Returns the seconds a person needs without the time of the app. */
export const personSeconds = ({ clicks, keys, characters, decisions }: Effort): number =>
  (keys + characters) * operatorSeconds.key +
  clicks * (operatorSeconds.pointing + operatorSeconds.press) +
  decisions.length * operatorSeconds.decision

/** Returns the seconds of a part: those of the person and those of the app. */
export const totalSeconds = (result: PartResult): number =>
  personSeconds(result.effort) + result.appSeconds
