import type { Box } from '../../../../../shared/model/document.ts'
import type { Turn } from './page-source.ts'

/** Returns a box of a page as it is on the page rotated clockwise. */
export function turnedBox([left, top, right, bottom]: Box, turn: Turn): Box {
  switch (turn) {
    case 0:
      return [left, top, right, bottom]
    case 90:
      return [1 - bottom, left, 1 - top, right]
    case 180:
      return [1 - right, 1 - bottom, 1 - left, 1 - top]
    case 270:
      return [top, 1 - right, bottom, 1 - left]
  }
}

/** Returns a point of a rotated page as it is on the page itself. */
export function plainPoint(x: number, y: number, turn: Turn): readonly [x: number, y: number] {
  switch (turn) {
    case 0:
      return [x, y]
    case 90:
      return [y, 1 - x]
    case 180:
      return [1 - x, 1 - y]
    case 270:
      return [1 - y, x]
  }
}

/** Returns the next quarter turn. */
export function nextTurn(turn: Turn, clockwise: boolean): Turn {
  const turns: readonly Turn[] = [0, 90, 180, 270]
  return turns[(turns.indexOf(turn) + (clockwise ? 1 : 3)) % 4] ?? 0
}
