/** Reads a step's data, which may be anything. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** 0 unless it is a safe, positive integer. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
