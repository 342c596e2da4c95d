/** One measured line. `measured` and `budget` are in `unit`; a line without a budget is a reference taken in the same run. */
export type Line = {
  readonly what: string
  readonly measured: number
  readonly unit: 'kB' | 'ms' | 'rows' | '×' | 'packages' | 'modules'
  readonly budget?: number
  /** What the figure is made of, for instance the samples' number or the bare reference. */
  readonly note?: string
}

export const isWithin = (line: Line): boolean => line.budget === undefined || line.measured <= line.budget

const number = (value: number, unit: Line['unit']): string =>
  `${unit === 'rows' || unit === 'packages' || unit === 'modules' ? value : value.toFixed(2)} ${unit}`

/** The table that `npm run bench` prints: one row a line, columns aligned, misses marked. */
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

/** A table in Markdown, its first row the header. */
export function formatRows(rows: readonly (readonly string[])[]): string {
  const [header = [], ...others] = rows
  const widths = header.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n')
}
