import { setActivePinia } from 'pinia'
import { afterAll, expect } from 'vitest'

/** What Vue, vue-i18n and zod define once, when a file first loads or uses them. */
const ofLibraries = /^__(?:VUE|INTLIFY|zod)_/

/** Returns what the files of a worker share besides modules: globals (also timers and dates), environment, listeners. */
function globalState(): ReadonlyMap<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  const state = new Map<string, unknown>([['working directory', process.cwd()]])
  for (const [name, { value, get }] of globals)
    if (!ofLibraries.test(name)) state.set(name, value ?? get)
  for (const [name, value] of Object.entries(process.env)) state.set(`environment ${name}`, value)
  for (const name of process.eventNames())
    state.set(`listeners of ${String(name)}`, process.listenerCount(name))
  return state
}

// A setup file runs before each test file is loaded.
const before = globalState()

// The first registered hook runs last.
afterAll(() => {
  // A store used without an app must fail, whichever file ran before.
  setActivePinia(undefined)
  const after = globalState()
  const names = new Set([...before.keys(), ...after.keys()])
  const changed = [...names].filter((name) => !Object.is(before.get(name), after.get(name)))
  expect(changed, 'What this file left changed for the next file in its worker').toEqual([])
})
