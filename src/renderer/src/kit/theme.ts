import type { GlobalThemeOverrides } from 'naive-ui'

/** Light and dark variant of a color. */
type Pair = readonly [light: string, dark: string]

/**
 * Colors of the app, named by their use. Text colors have AA contrast on every background they are used on.
 */
export const colors = {
  /** Chrome: rail, list, status bar. */
  chrome: ['#f6f5f3', '#161718'],
  /** Main content. */
  surface: ['#ffffff', '#1c1d1f'],
  /** Floating elements: menus, dialogs, toasts. */
  raised: ['#ffffff', '#26272a'],
  /** Fields and secondary buttons. */
  sunken: ['#f1f0ed', '#131415'],
  hover: ['#ebeae6', '#27292c'],
  selected: ['#e3e8f5', '#2a3350'],
  /** Selected option of a segmented control, on `hover`, and its border. */
  chosen: ['#ffffff', '#474b53'],
  chosenEdge: ['#83817b', '#9a9da4'],
  line: ['#e3e1dc', '#303236'],
  /** Borders of controls: 3:1 contrast to their background. */
  edge: ['#8b8983', '#74777d'],
  text: ['#1d1c1a', '#ececea'],
  muted: ['#5d5b56', '#adafb4'],
  accent: ['#3154b8', '#9db4ff'],
  onAccent: ['#ffffff', '#10162b'],
  ok: ['#176b45', '#6cc79a'],
  warn: ['#7d4f00', '#e5b558'],
  danger: ['#ad2a1f', '#ff9488'],
  dangerGround: ['#fbf0ee', '#2c2120'],
  warnGround: ['#faf2e1', '#2f2818'],
  /** Background of a search match, behind `text`. */
  mark: ['#ffe89a', '#5c4d12'],
  wave: ['#b9b7b1', '#565a61'],
} as const satisfies Record<string, Pair>

/**
 * Colors of chart series, distinguishable by hue and lightness, 3:1 contrast to the surface; the last is for the
 * remainder.
 */
export const series: readonly Pair[] = [
  ['#3154b8', '#9db4ff'],
  ['#b05a00', '#f0a35e'],
  ['#176b45', '#6cc79a'],
  ['#8a3ea8', '#d29bea'],
  ['#0b6b80', '#66c5d6'],
  ['#ad2a1f', '#ff9488'],
  ['#83817b', '#9a9da4'],
]

/**
 * Colors of knowledge bases by the provider's names (service-notes 7), 3:1 contrast to every background; text on them
 * has the surface color.
 */
const bases: Readonly<Record<string, Pair>> = {
  blue: ['#3154b8', '#9db4ff'],
  red: ['#ad2a1f', '#ff9488'],
  orange: ['#b05a00', '#f0a35e'],
  purple: ['#8a3ea8', '#d29bea'],
  sky: ['#0b6b80', '#66c5d6'],
  green: ['#176b45', '#6cc79a'],
  yellow: ['#857000', '#e3cd4f'],
}

/**
 * Color scale of a heat map from the minimum to the maximum: its lightness (CIE L*) changes monotonically in equal
 * steps, so that equal differences look equal and it is readable without color vision; it starts near the surface color.
 */
export const heat: readonly Pair[] = [
  ['#f3f0e4', '#1d2030'],
  ['#a9c5ae', '#3a4b80'],
  ['#4e99a6', '#4984b6'],
  ['#2165a0', '#71c2bb'],
  ['#23307f', '#f3f0b0'],
]

/** Name of a color token; the CSS variable is `--` followed by this name. */
export type ColorName = keyof typeof colors

/** Fonts with good Chinese, Japanese and Korean fallbacks; digits are tabular where times are in columns. */
export const fonts = {
  interface:
    '-apple-system, "Segoe UI Variable Text", "Segoe UI", "Noto Sans", Inter, Roboto, Cantarell, Ubuntu, "Open Sans", "Liberation Sans", "DejaVu Sans", "PingFang SC", "Microsoft YaHei UI", "Noto Sans CJK SC", "Noto Sans SC", sans-serif',
  mono: 'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace',
} as const

/**
 * Returns all tokens as one style sheet. `light-dark()` follows `color-scheme`, which the root's `data-theme` sets.
 */
export function tokenSheet(): string {
  const named = Object.entries(bases).map(([name, pair]) => [`base-${name}`, pair] as const)
  const lines = [...Object.entries(colors), ...named].map(
    ([name, [light, dark]]) => `--${kebab(name)}:light-dark(${light},${dark});`,
  )
  return [
    `:root{color-scheme:light dark;${lines.join('')}--font:${fonts.interface};--mono:${fonts.mono};}`,
    ':root[data-theme=light]{color-scheme:light}',
    ':root[data-theme=dark]{color-scheme:dark}',
  ].join('\n')
}

/** Returns the same tokens as naive-ui theme overrides, for one of the two themes. */
export function naiveOverrides(dark: boolean): GlobalThemeOverrides {
  const pick = (name: ColorName): string => colors[name][dark ? 1 : 0]
  const accent = pick('accent')
  return {
    common: {
      fontFamily: fonts.interface,
      fontFamilyMono: fonts.mono,
      fontSize: '0.8125rem',
      fontSizeSmall: '0.8125rem',
      fontSizeMedium: '0.8125rem',
      borderRadius: '6px',
      heightTiny: '1.375rem',
      heightSmall: '1.75rem',
      heightMedium: '2rem',
      primaryColor: accent,
      primaryColorHover: accent,
      primaryColorPressed: accent,
      primaryColorSuppl: accent,
      bodyColor: pick('surface'),
      cardColor: pick('surface'),
      modalColor: pick('raised'),
      popoverColor: pick('raised'),
      inputColor: pick('surface'),
      borderColor: pick('edge'),
      dividerColor: pick('line'),
      hoverColor: pick('hover'),
      textColorBase: pick('text'),
      textColor1: pick('text'),
      textColor2: pick('text'),
      textColor3: pick('muted'),
      placeholderColor: pick('muted'),
      iconColor: pick('muted'),
      errorColor: pick('danger'),
      warningColor: pick('warn'),
      successColor: pick('ok'),
    },
    Input: {
      border: `1px solid ${pick('edge')}`,
      borderHover: `1px solid ${pick('edge')}`,
      borderFocus: `1px solid ${accent}`,
      color: pick('surface'),
      colorFocus: pick('surface'),
      boxShadowFocus: `0 0 0 1px ${accent}`,
    },
    Tag: { color: pick('sunken'), textColor: pick('text'), closeIconColor: pick('muted') },
  }
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
