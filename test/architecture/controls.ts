/** A kind of control that only some files may write as an element: all others use the part of the kit. */
interface Control {
  readonly element: RegExp
  /** Absent if no file may. */
  readonly within?: RegExp
  readonly instead: string
}

const kit = 'src/renderer/src/kit/'

const controls: readonly Control[] = [
  {
    element: /<dialog\b/,
    // The palette is a field with its results: no title, at the top of the window.
    within: /^src\/renderer\/src\/(kit\/UiDialog|shell\/palette\/components\/CommandPalette)\.vue$/,
    instead: `${kit}UiDialog.vue`,
  },
  {
    element: /\spopover(target)?\b/,
    within: /\/kit\/(UiPopover|FloatingMenu|FloatingBar)\.vue$/,
    instead: `${kit}UiPopover.vue`,
  },
  {
    element: /role="menu"/,
    within: /\/kit\/FloatingMenu\.vue$/,
    instead: `${kit}FloatingMenu.vue`,
  },
  {
    element: /<(progress|meter)\b|role="progressbar"/,
    within: /\/kit\/ProgressLine\.vue$/,
    instead: `${kit}ProgressLine.vue`,
  },
  {
    element: /type="number"/,
    instead: `${kit}NumberField.vue`,
  },
  {
    element: /<(textarea|select)(?!(?:[^>"]|"[^"]*")*\sclass="[^"]*\bfield\b)(?=[\s>])/,
    // Text that is written where it is read, and the choices in a player's bar.
    within: /\/(ComposerField|LineEditor|meetings\/components\/SpeedChoice)\.vue$/,
    instead: 'the class `field`',
  },
]

/** Returns controls in the template of a component that the kit has, as `file: element, instead`. */
export function ownControls(path: string, text: string): string[] {
  const template = text
    .slice(text.search(/^<template>/m), text.lastIndexOf('</template>'))
    .replace(/<!--[\s\S]*?-->/g, '')
  return controls.flatMap(({ element, within, instead }) => {
    const found = element.exec(template)
    return found && !within?.test(path) ? [`${path}: ${found[0].trim()}; use ${instead}`] : []
  })
}
