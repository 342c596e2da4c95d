/** An alert over the view (spec §8). */
export type AlertText = { readonly title: string; readonly text: string }

export type ErrorEntry = {
  readonly message: string
  /** EIP-1193 or JSON-RPC 2.0 code: a dapp's `error.code`. */
  readonly rpc?: number
  readonly alert?: AlertText
}

export type ErrorTexts = Readonly<Record<string, ErrorEntry>>
