import { expect, test } from 'vitest'
import page from '../../src/renderer/index.html?raw'
import { colors, tokenSheet, type ColorName } from '../../src/renderer/src/ui/theme.ts'

/** Relative luminance of a colour (WCAG 2). */
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

test.each(pairs)('%s can be read on %s in both themes', (text, ground) => {
  for (const theme of [0, 1] as const)
    expect(contrast(colors[text][theme], colors[ground][theme])).toBeGreaterThanOrEqual(4.5)
})

test('edges of controls stand out from their ground', () => {
  for (const theme of [0, 1] as const)
    for (const ground of ['surface', 'chrome', 'raised'] as const)
      expect(contrast(colors.edge[theme], colors[ground][theme])).toBeGreaterThanOrEqual(3)
})

test('the chosen one of a row of choices stands out from the row', () => {
  for (const theme of [0, 1] as const)
    expect(contrast(colors.chosenEdge[theme], colors.hover[theme])).toBeGreaterThanOrEqual(3)
})

test('the frame that is drawn before any program has the same colours', () => {
  const sheet = tokenSheet()
  const early = [...page.matchAll(/(--[a-z]+): light-dark\((#\w+), (#\w+)\)/g)]
  expect(early.length).toBe(5)
  for (const [, name, light, dark] of early)
    expect(sheet).toContain(`${name}:light-dark(${light},${dark});`)
})
