import { expect, test } from 'vitest'
import {
  bringsToFront,
  recordCommand,
  recordingIcon,
  trayInk,
  traySigns,
} from '../../../../src/main/hosts/support/recording-indicator.ts'

test('the tray shows in both languages whether something is recorded, and offers the opposite', () => {
  expect(traySigns(false, 'en')).toMatchObject({ tooltip: 'Lectern', title: '' })
  expect(traySigns(false, 'en').lines[0]).toEqual({
    kind: 'record',
    label: 'Start Recording',
    command: 'record-start',
  })
  expect(traySigns(true, 'zh-CN')).toMatchObject({ tooltip: 'Lectern 正在录音', title: '正在录音' })
  expect(traySigns(true, 'zh-CN').lines[0]).toMatchObject({ command: 'record-stop' })
  expect(traySigns(true, 'en').lines.map(({ kind }) => kind)).toEqual([
    'record',
    'separator',
    'show',
    'window',
    'quick',
    'quit',
  ])
})

test('a start shows the window, since it may need a source; a stop does not', () => {
  expect([recordCommand(false), recordCommand(true)]).toEqual(['record-start', 'record-stop'])
  expect(bringsToFront('record-start')).toBe(true)
  expect(bringsToFront('record-stop')).toBe(false)
})

test('the icon is a ring with smooth edges, filled red while recording', () => {
  const size = 32
  const at = (pixels: Buffer, x: number, y: number): number[] => [
    ...pixels.subarray((y * size + x) * 4, (y * size + x) * 4 + 4),
  ]
  const idle = recordingIcon({ size, live: false, ink: 255, coloured: true })
  const live = recordingIcon({ size, live: true, ink: 255, coloured: true })
  const mac = recordingIcon({ size, live: true, ink: 0, coloured: false })
  expect(idle).toHaveLength(size * size * 4)
  expect(at(idle, 0, 0)).toEqual([0, 0, 0, 0])
  expect(at(idle, 16, 16)).toEqual([0, 0, 0, 0])
  expect(at(idle, 3, 16)).toEqual([255, 255, 255, 255])
  expect(at(live, 16, 16)).toEqual([42, 52, 214, 255])
  expect(at(mac, 16, 16)).toEqual([0, 0, 0, 255])
  const alphas = new Set(Array.from({ length: size * size }, (_, n) => idle[n * 4 + 3]))
  expect(alphas.size).toBeGreaterThan(3)
})

test('the icon is light on a dark bar, regardless of the app theme', () => {
  const ink = (platform: string, dark: boolean, darkBar: boolean, desktop = ''): number =>
    trayInk({ platform, dark, darkBar, desktop })
  expect([ink('win32', false, true), ink('win32', true, false)]).toEqual([255, 40])
  expect([ink('linux', true, false), ink('linux', false, true)]).toEqual([255, 40])
  expect(ink('linux', false, false, 'ubuntu:GNOME')).toBe(255)
  expect([ink('darwin', true, true), ink('darwin', false, false)]).toEqual([0, 0])
})
