export type Question = {
  readonly wallet: string
  readonly origin: string
  readonly title: string
  readonly rows: readonly { readonly label: string; readonly value: string }[]
  /** Exactly what is signed. */
  readonly raw?: string
  /** Default: 'Approve'. */
  readonly approve?: string
}

export type EvmQuestion = Question & { readonly method: string }

/** Rejects with 4001 without approval. */
export type Agree = (question: Omit<EvmQuestion, 'wallet' | 'origin'>) => Promise<void>
