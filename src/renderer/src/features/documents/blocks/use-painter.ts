import { computed, provide } from 'vue'
import { useWords } from '../../../i18n/use-words.ts'
import { createBlockDrawer } from '../../../markdown/draw-block.ts'
import { installKatexSheet } from '../../../markdown/katex-sheet.ts'
import type { PictureSource } from '../../../markdown/pictures.ts'
import '../../../markdown/looks.css'
import { createPainter, painterKey } from './draw-blocks.ts'

/** Where pictures of blocks come from. */
export interface PainterSources {
  /** Prefix of the app's own media. */
  readonly mediaBase: () => string
  readonly picture: PictureSource
  /** Pictures of elsewhere can be asked for. */
  readonly loads?: boolean
}

/** Provides a painter to the blocks below; each pane has its own, as a drawn block is in one place only. */
export function usePainter({ mediaBase, picture, loads = false }: PainterSources): void {
  const { t, language } = useWords()
  installKatexSheet()
  const painter = computed(() => {
    void language.value
    return createPainter(
      createBlockDrawer({
        mediaBase: mediaBase(),
        picture,
        words: {
          pictureAway: t('documentText.pictureAway'),
          ...(loads && {
            pictureLoad: (host: string) => t('documentText.loadPicture', { host }),
          }),
          formula: {
            long: t('documentText.formula.long'),
            deep: t('documentText.formula.deep'),
            wrong: t('documentText.formula.wrong'),
          },
        },
      }),
    )
  })
  provide(painterKey, () => painter.value)
}
