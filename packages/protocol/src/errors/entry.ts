/** An alert of spec §8, over the view: the dapp's developer or the user must fix something. */
export type AlertText = { readonly title: string; readonly text: string }

export type ErrorEntry = {
  readonly message: string
  /** EIP-1193 or JSON-RPC 2.0 code, a dapp's `error.code`. */
  readonly rpc?: number
  /** What to do next, for the developer or the user. */
  readonly fix: string
  readonly alert?: AlertText
  /** URL of its section in the documentation. */
  readonly docs: string
}

/** `docs` derives from the code. */
export type ErrorTexts = Readonly<Record<string, Omit<ErrorEntry, 'docs'>>>
