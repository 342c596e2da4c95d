/** In `unit`; without a budget it is a reference from the same run. */
export type Line = {
  readonly what: string
  readonly measured: number
  readonly unit: 'kB' | 'ms' | 'rows' | '×' | 'packages' | 'modules' | 'requests'
  readonly budget?: number
  /** For example the number of samples. */
  readonly note?: string
}

export const isWithin = (line: Line): boolean => line.budget === undefined || line.measured <= line.budget

const number = (value: number, unit: Line['unit']): string =>
  `${unit === 'kB' || unit === 'ms' || unit === '×' ? value.toFixed(2) : value} ${unit}`

/** One row per line, aligned columns, misses marked. */
export function formatTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.what,
    number(line.measured, line.unit),
    line.budget === undefined ? 'reference' : `≤ ${number(line.budget, line.unit)}`,
    line.budget === undefined ? '' : isWithin(line) ? 'within' : 'OVER',
    line.note ?? '',
  ])
  const header = ['what', 'measured', 'budget', '', 'how']
  return formatRows([header, ...rows])
}

export function formatRows(rows: readonly (readonly string[])[]): string {
  const [header = [], ...others] = rows
  const widths = header.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n')
}
