/** A wallet's question to its user. */
export type Question = {
  readonly wallet: string
  readonly origin: string
  readonly title: string
  readonly rows: readonly { readonly label: string; readonly value: string }[]
  /** The exact text or bytes to sign. */
  readonly raw?: string
  /** Default: 'Approve'. */
  readonly approve?: string
}

/** A question with its request's method. */
export type EvmQuestion = Question & { readonly method: string }

/** Resolves on approval; rejects with 4001 without it. */
export type Agree = (question: Omit<EvmQuestion, 'wallet' | 'origin'>) => Promise<void>
