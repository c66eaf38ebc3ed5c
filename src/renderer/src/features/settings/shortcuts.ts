/** The shortcuts as Settings lists them: keys of their words, and what is pressed. */
export const shortcutList = {
  everywhere: [
    ['palette', 'mod+k'],
    ['record', 'mod+shift+r'],
    ['import', 'mod+o'],
    ['search', 'mod+f'],
    ['recordings', 'mod+1'],
    ['library', 'mod+2'],
    ['activity', 'mod+3'],
    ['bench', 'mod+4'],
    ['settings', 'mod+,'],
    ['inspector', 'mod+.'],
    ['list', 'mod+\\'],
    ['undo', 'mod+z'],
  ],
  inRecording: [
    ['play', 'space'],
    ['seek', 'left'],
    ['rename', 'F2'],
    ['copyText', 'mod+shift+c'],
    ['match', 'F3'],
    ['remove', 'delete'],
  ],
  inMeeting: [
    ['bookmark', 'b'],
    ['zoomIn', '+'],
    ['zoomOut', '-'],
    ['zoomAll', '0'],
    ['find', 'mod+f'],
    ['editLine', 'e'],
    ['undoEdit', 'mod+z'],
  ],
} as const
