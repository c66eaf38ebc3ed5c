import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js'
import { colors, fonts, series as palette, type ColorName } from '../../../kit/theme.ts'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip, Legend)

/** Data of the chart: one stacked bar per day. */
export interface UsageDrawing {
  /** Label of each day. */
  readonly labels: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
  readonly dark: boolean
  readonly language: string
  /** Receives the indexes of the clicked day and series. */
  onPick(day: number, series: number): void
}

/** Draws the chart; the returned handle redraws it with other figures, or removes it. */
export function drawUsage(
  canvas: HTMLCanvasElement,
  drawing: UsageDrawing,
): { update(next: UsageDrawing): void; destroy(): void } {
  let chart = make(canvas, drawing)
  return {
    update(next) {
      chart.destroy()
      chart = make(canvas, next)
    },
    destroy: () => chart.destroy(),
  }
}

function make(canvas: HTMLCanvasElement, drawing: UsageDrawing): Chart {
  const shade = drawing.dark ? 1 : 0
  const color = (name: ColorName): string => colors[name][shade]
  const font = { family: fonts.interface, size: 12 }
  return new Chart(canvas, {
    type: 'bar',
    data: {
      labels: [...drawing.labels],
      datasets: drawing.series.map(({ name, values }, i) => ({
        label: name,
        data: [...values],
        backgroundColor: palette[i % palette.length]?.[shade] ?? color('accent'),
        borderColor: color('surface'),
        borderWidth: { top: 1 },
        maxBarThickness: 40,
        categoryPercentage: 0.8,
        barPercentage: 1,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      locale: drawing.language,
      interaction: { mode: 'index', intersect: false },
      onClick(event, _, chart) {
        const [hit] = chart.getElementsAtEventForMode(
          event.native ?? new Event('click'),
          'nearest',
          { intersect: true },
          false,
        )
        if (hit) drawing.onPick(hit.index, hit.datasetIndex)
      },
      plugins: {
        legend: {
          position: 'bottom',
          labels: {
            color: color('text'),
            font,
            boxWidth: 10,
            boxHeight: 10,
            useBorderRadius: true,
          },
        },
        tooltip: {
          backgroundColor: color('raised'),
          titleColor: color('text'),
          bodyColor: color('text'),
          borderColor: color('line'),
          borderWidth: 1,
          titleFont: font,
          bodyFont: font,
          filter: (item) => item.parsed.y !== 0,
        },
      },
      scales: {
        x: {
          stacked: true,
          grid: { display: false },
          border: { color: color('line') },
          ticks: { color: color('muted'), font, maxRotation: 0, autoSkipPadding: 12 },
        },
        y: {
          stacked: true,
          beginAtZero: true,
          border: { display: false },
          grid: { color: color('line') },
          ticks: { color: color('muted'), font, precision: 0, maxTicksLimit: 6 },
        },
      },
    },
  })
}
