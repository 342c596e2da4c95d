/** One entry of the catalogue of errors (`errors.ts`). */

/** An alert of spec §8: drawn over the view, because the dapp's developer or the visitor has something to mend. */
export type AlertText = { readonly title: string; readonly text: string }

export type ErrorEntry = {
  readonly message: string
  /** EIP-1193 or JSON-RPC 2.0 number, as a dapp's `error.code` sees it. */
  readonly rpc?: number
  /** What the reader can do about it. */
  readonly wayOut: string
  readonly alert?: AlertText
  /** Path of its explanation, from the root of the repository. */
  readonly docs: string
}

/** Entries by code as they are written down; where each is explained follows from its code. */
export type ErrorTexts = Readonly<Record<string, Omit<ErrorEntry, 'docs'>>>
