/** Command of the driver. */
export interface ControlCommand {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

/** Message of the stand-in to its driver: the response to a command, or an event of the app. */
export type ControlMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: string }
  | ControlEvent

/** Event of the app, in order. */
export interface ControlEvent {
  readonly event: string
  readonly detail: unknown
}

const send = process.send?.bind(process)
const commands = new Map<string, (...args: readonly never[]) => unknown>()

/** Whether a driver is connected to the control channel. */
export const driven = send !== undefined

// The app must not detect that it has a parent.
Object.defineProperty(process, 'send', { value: undefined })

/** Registers a command for the driver; its return value must be plain data. */
export function command<A extends never[]>(name: string, handler: (...args: A) => unknown): void {
  commands.set(name, handler)
}

/** Sends an event of the app to the driver. Data that cannot be cloned is sent as text. */
export function reportEvent(event: string, detail: unknown = null): void {
  if (!send || !process.connected) return
  try {
    send({ event, detail } satisfies ControlEvent)
  } catch {
    send({ event, detail: String(detail) } satisfies ControlEvent)
  }
}

async function answer({ id, name, args }: ControlCommand): Promise<void> {
  const handler = commands.get(name)
  try {
    if (!handler) throw new Error(`The stand-in has no command ${name}`)
    const value = await handler(...(args as never[]))
    if (process.connected) send?.({ id, ok: true, value } satisfies ControlMessage)
  } catch (error) {
    if (process.connected) send?.({ id, ok: false, error: String(error) } satisfies ControlMessage)
  }
}

/** Begins to receive commands. When the driver ends for any reason, the app ends with it. */
export function listenToDriver(): void {
  if (!send) return
  process.on('message', (message: ControlCommand) => void answer(message))
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}
