import type { AlertText, ErrorCode, texts } from '@postern/protocol'

/** A repeated message reappears after 150 ms (spec §9). */
export type Snackbar = {
  readonly key: number
  readonly tone: 'neutral' | 'good' | 'bad'
  readonly text: string
  /** Set if `text` is the protocol's English. */
  readonly common?: CommonText | undefined
}

export type CommonText = `error.${ErrorCode}` | `alert.${ErrorCode}.text` | `text.${keyof typeof texts}`

/** A problem for the user or the dapp's developer to fix (spec §8). */
export type Alert = AlertText & {
  readonly code: ErrorCode
  readonly values?: Readonly<Record<string, string>>
}
