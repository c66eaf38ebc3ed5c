import { afterEach, describe, expect, test, vi } from 'vitest'
import { setupQuit } from '../../../../src/main/hosts/electron/app-lifecycle.ts'
import { stopLimits } from '../../../../src/main/hosts/support/stopping.ts'
import { memoryLog } from '../../platform/database/fixture.ts'
import * as electron from './electron-mock.ts'

vi.mock('electron', () => import('./electron-mock.ts'))

const { app, BrowserWindow, calls, order, powerMonitor, runOn, world } = electron
/** Reports to the updates about the end of the app: an installer that starts during a shutdown is killed halfway. */
const reported: string[] = []
const event = { preventDefault() {} }
const step = (name: string) => (): void => void calls.push({ name, args: [] })

afterEach(() => {
  vi.useRealTimers()
  runOn()
  for (const emitter of [app, powerMonitor]) emitter.removeAllListeners()
  calls.length = 0
  reported.length = 0
})

/** Sets up the quit of an app with the given core stop, and with or without an opened main window. */
function setup(
  stop: () => Promise<void>,
  opened = true,
  isRecording = false,
  stopRecording = async (): Promise<void> => {},
): void {
  setupQuit({
    lectern: { stopRecording, stop, kill: step('core.kill'), resumed() {} },
    lock: { announce() {}, release: step('lock.release') },
    log: memoryLog(),
    windows: { wasOpened: () => opened, leave() {} },
    updates: {
      shuttingDown: () => void reported.push('shutdown'),
      quitAnswered: (leaves) => void reported.push(leaves ? 'leaves' : 'stays'),
    },
    isRecording: () => isRecording,
    ends: step('mark.remove'),
  })
}

/** Quits an app with the given core stop; returns the steps, in order. */
async function quit(stop: () => Promise<void>): Promise<readonly string[]> {
  vi.useFakeTimers()
  setup(stop)
  app.emit('before-quit', { preventDefault() {} })
  await vi.advanceTimersByTimeAsync(stopLimits.app + 1)
  return order()
}

test('releases the data folder once the core has stopped', async () => {
  // The end is reported before anything that takes time.
  expect(await quit(async () => {})).toEqual(['mark.remove', 'lock.release', 'app.exit'])
})

test('kills a core that does not stop, and locks the data folder as long as the process exists', async () => {
  expect(await quit(() => new Promise(() => {}))).toEqual(['mark.remove', 'core.kill', 'app.exit'])
})

test.each([
  ['win32', true],
  ['linux', true],
  ['darwin', false],
])('on %s the last window ends the app: %s, never one started into the tray', (system, ends) => {
  runOn(system)
  setup(async () => {}, false)
  app.emit('window-all-closed')
  expect(order()).toEqual([])
  app.removeAllListeners()
  setup(async () => {}, true)
  app.emit('window-all-closed')
  expect(order()).toEqual(ends ? ['app.quit'] : [])
})

test.each(['query-session-end', 'session-end'])('treats %s of Windows as a shutdown', (name) => {
  setup(async () => {})
  const window = new BrowserWindow({})
  window.emit(name, event)
  expect(reported).toEqual(['shutdown'])
})

describe('the end of a Windows session', () => {
  const stop = async (): Promise<void> => step('core.stop')()
  const holdsSessionEnd = (window: electron.BrowserWindow): boolean => {
    let isHeld = false
    window.emit('query-session-end', { preventDefault: () => void (isHeld = true) })
    return isHeld
  }

  test('is delayed during a recording until recording and app have ended', async () => {
    const recording = Promise.withResolvers<void>()
    setup(stop, true, true, () => {
      step('recording.stop')()
      return recording.promise
    })
    const window = new BrowserWindow({})
    calls.length = 0
    expect(holdsSessionEnd(window)).toBe(true)
    // Windows asks each window, and asks again.
    expect(holdsSessionEnd(new BrowserWindow({}))).toBe(true)
    await electron.settle()
    expect(order()).not.toContain('core.stop')
    expect(order()).not.toContain('app.exit')
    recording.resolve()
    await expect.poll(() => order().at(-1)).toBe('app.exit')
    // No question is shown: the user has already ended the session.
    const steps = order().filter((name) => !/window|Window/.test(name))
    expect(steps).toEqual([
      'mark.remove',
      'recording.stop',
      'core.stop',
      'lock.release',
      'app.exit',
    ])
    expect(electron.lastCall('app.exit')).toEqual([0])
    expect(reported).toContain('shutdown')
  })

  test('is not delayed without a recording: Lectern stays until the session has ended', async () => {
    setup(stop)
    const window = new BrowserWindow({})
    calls.length = 0
    expect(holdsSessionEnd(window)).toBe(false)
    await electron.settle()
    expect(order()).toEqual([])
    window.emit('session-end', event)
    await expect.poll(() => order().at(-1)).toBe('app.exit')
    expect(order()).not.toContain('dialog.showMessageBox')
  })

  test('waits for a recording no longer than its limit', async () => {
    vi.useFakeTimers()
    setup(stop, true, true, () => new Promise(() => {}))
    expect(holdsSessionEnd(new BrowserWindow({}))).toBe(true)
    await vi.advanceTimersByTimeAsync(stopLimits.recording - 1)
    expect(order()).not.toContain('core.stop')
    await vi.advanceTimersByTimeAsync(2)
    expect(order().at(-1)).toBe('app.exit')
  })
})

test('detects a shutdown of macOS or Linux', () => {
  setup(async () => {})
  powerMonitor.emit('shutdown', event)
  expect(reported).toEqual(['shutdown'])
})

test('answers a quit request at once while nothing is recorded', () => {
  setup(async () => {})
  app.emit('before-quit', event)
  expect(reported).toEqual(['leaves'])
  app.emit('before-quit', event)
  expect(reported).toEqual(['leaves', 'leaves'])
})

test('reports that the app stays after Keep Recording', async () => {
  setup(async () => {}, true, true)
  world.dialogAnswer = 0
  app.emit('before-quit', event)
  await expect.poll(() => reported).toEqual(['stays'])
})
