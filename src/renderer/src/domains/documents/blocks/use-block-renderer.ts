import { computed, provide } from 'vue'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { createBlockDrawer } from '../../../lib/markdown/draw-block.ts'
import { installKatexSheet } from '../../../lib/markdown/katex-sheet.ts'
import type { ImageSource } from '../../../lib/markdown/images.ts'
import '../../../lib/markdown/content.css'
import { createPainter, painterKey } from './draw-blocks.ts'

/** Sources of images in blocks. */
interface PainterSources {
  /** URL prefix of the app's own media. */
  readonly mediaBase: () => string
  readonly imageSource: ImageSource
  /** Whether remote images can be requested. */
  readonly loads?: boolean
}

/**
 * Provides a painter to the blocks below; each pane has its own, since a rendered block can be in one place only.
 */
export function usePainter({ mediaBase, imageSource, loads = false }: PainterSources): void {
  const { t, language } = useTranslation()
  installKatexSheet()
  const painter = computed(() => {
    void language.value
    return createPainter(
      createBlockDrawer({
        mediaBase: mediaBase(),
        imageSource,
        words: {
          imageAway: t('chatAnswer.imageAway'),
          ...(loads && {
            loadImage: (host: string) => t('documentText.loadImage', { host }),
          }),
          formula: {
            long: t('chatAnswer.formula.long'),
            deep: t('chatAnswer.formula.deep'),
            wrong: t('chatAnswer.formula.wrong'),
          },
        },
      }),
    )
  })
  provide(painterKey, () => painter.value)
}
