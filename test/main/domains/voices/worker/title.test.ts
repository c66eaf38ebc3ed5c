import { expect, test } from 'vitest'
import { titleOf } from '../../../../../src/main/domains/voices/service/speech/title.ts'

test('titles a text by its first words, with an ellipsis', () => {
  expect(titleOf('  — Good morning!\nAll of you.')).toBe('Good morning!')
  expect(titleOf('The keeper of the lighthouse climbed up all of the stairs every evening')).toBe(
    'The keeper of the lighthouse climbed up all of the stairs…',
  )
  expect(titleOf('灯塔看守人每天傍晚都要爬上楼梯'.repeat(6))).toHaveLength(60)
  expect(titleOf('…!?')).toBe('Speech')
})
