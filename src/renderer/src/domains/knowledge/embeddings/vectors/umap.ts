import { UMAP } from 'umap-js'
import type { Matrix } from '../../../../../../shared/knowledge/embeddings/matrix.ts'
import { principal } from '../../../../../../shared/knowledge/embeddings/pca.ts'
import { seededRandom } from '../../../../../../shared/knowledge/embeddings/random.ts'

/** Number of principal axes used: the remaining ones of text vectors are noise to a neighbor map. */
const axes = 50

/** Maps vectors to a plane that preserves neighbors (UMAP), with a fixed seed: the same vectors give the same map. */
export async function neighbourMap(
  matrix: Matrix,
  rows: Uint32Array,
  watch: Watch,
): Promise<Float32Array> {
  const reduced = principal(matrix, rows, axes)
  await watch.breathe()
  const points = Array.from(rows, (_, place) =>
    Array.from(reduced.coordinates.subarray(place * reduced.axes, (place + 1) * reduced.axes)),
  )
  const umap = new UMAP({
    nComponents: 2,
    nNeighbors: Math.min(15, rows.length - 1),
    minDist: 0.15,
    random: seededRandom(42),
  })
  const epochs = umap.initializeFit(points)
  for (let epoch = 0; epoch < epochs; epoch++) {
    umap.step()
    if (epoch % 10 !== 0) continue
    watch.progress(epoch / epochs)
    await watch.breathe()
  }
  return Float32Array.from(umap.getEmbedding().flat())
}

/** Progress and cancellation of a running request. */
export interface Watch {
  progress(done: number): void
  /** Lets messages be processed; throws if a later request has replaced this one. */
  breathe(): Promise<void>
}
