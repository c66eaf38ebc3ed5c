import { expect, test } from 'vitest'
import page from '../../../src/renderer/index.html?raw'
import {
  heatSteps,
  heatTable,
} from '../../../src/renderer/src/domains/knowledge/embeddings/heat-scale.ts'
import { colors, tokenSheet, type ColorName } from '../../../src/renderer/src/kit/theme.ts'

/** Returns the relative luminance of a color (WCAG 2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const grounds: readonly ColorName[] = ['chrome', 'surface', 'raised', 'sunken', 'hover', 'selected']
const texts: readonly (readonly [ColorName, readonly ColorName[]])[] = [
  ['text', [...grounds, 'chosen', 'mark', 'dangerGround', 'warnGround']],
  ['muted', [...grounds, 'dangerGround', 'warnGround']],
  ['accent', ['chrome', 'surface', 'raised', 'selected', 'hover']],
  ['danger', ['chrome', 'surface', 'raised', 'hover', 'selected', 'dangerGround']],
  ['warn', ['surface', 'raised', 'warnGround']],
  ['ok', ['surface', 'raised']],
  ['onAccent', ['accent']],
]
const pairs = texts.flatMap(([text, on]) => on.map((ground) => [text, ground] as const))

test.each(pairs)('is readable in both themes: %s on %s', (text, ground) => {
  for (const theme of [0, 1] as const)
    expect(contrast(colors[text][theme], colors[ground][theme])).toBeGreaterThanOrEqual(4.5)
})

test('has visible edges of controls', () => {
  for (const theme of [0, 1] as const)
    for (const ground of ['surface', 'chrome', 'raised'] as const)
      expect(contrast(colors.edge[theme], colors[ground][theme])).toBeGreaterThanOrEqual(3)
})

test('highlights the selected option in a row', () => {
  for (const theme of [0, 1] as const)
    expect(contrast(colors.chosenEdge[theme], colors.hover[theme])).toBeGreaterThanOrEqual(3)
})

test('uses the same colors in the frame shown before scripts run', () => {
  const sheet = tokenSheet()
  const early = [...page.matchAll(/(--[a-z]+): light-dark\((#\w+), (#\w+)\)/g)]
  expect(early.length).toBe(5)
  for (const [, name, light, dark] of early)
    expect(sheet).toContain(`${name}:light-dark(${light},${dark});`)
})

/** Colors as seen without red, green or blue cones (Machado et al. 2009, full severity), over linear channels. */
const eyes = {
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deutan: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritan: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
} as const

test.each(Object.keys(eyes) as (keyof typeof eyes)[])(
  'has a monotonic heat map scale with even lightness steps, for %s eyes, in both themes',
  (eye) => {
    const seen = eyes[eye]
    for (const dark of [false, true]) {
      const table = heatTable(dark)
      const lightness = Array.from({ length: heatSteps / 15 }, (_, at) => {
        const rgb = [0, 1, 2].map((part) => {
          const channel = (table[at * 15 * 4 + part] ?? 0) / 255
          return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
        })
        const [r, g, b] = [0, 1, 2].map((row) =>
          rgb.reduce((sum, each, part) => sum + each * (seen[row * 3 + part] ?? 0), 0),
        )
        const y = 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
        return 116 * Math.cbrt(y) - 16
      })
      const steps = lightness
        .slice(1)
        .map((each, at) => (each - (lightness[at] ?? 0)) * (dark ? 1 : -1))
      const mean = steps.reduce((sum, each) => sum + each, 0) / steps.length
      expect(mean).toBeGreaterThan(3)
      for (const step of steps) {
        expect(step).toBeGreaterThan(mean * 0.5)
        expect(step).toBeLessThan(mean * 1.6)
      }
    }
  },
)
