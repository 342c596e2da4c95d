import type { Postern, PosternOptions } from '@postern/client'

export type Preview = {
  /** Changes what can change in a running page; for anything else, makes a new instance. */
  show(options: PosternOptions): void
  open(): void
  end(): void
}

/** The real modal, of the options' gateway. */
export async function createPreview({
  onAccount,
  onProblem,
}: {
  /** Empty: disconnected. */
  readonly onAccount: (address: string) => void
  readonly onProblem: (text: string) => void
}): Promise<Preview> {
  const { createPostern } = await import('@postern/client')
  let postern: Postern | undefined
  let fixed = ''
  let host = ''

  function end(): void {
    postern?.destroy()
    postern = undefined
  }

  function start(options: PosternOptions): void {
    end()
    onAccount('')
    try {
      postern = createPostern(options)
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error))
      return
    }
    const { subscribe, getSnapshot, on } = postern
    subscribe(() => {
      const connected = Object.values(getSnapshot().connections).find((each) => each?.status === 'connected')
      onAccount(connected?.status === 'connected' ? (connected.accounts[0]?.address ?? '') : '')
    })
    on('error', ({ code, fix, message }) =>
      onProblem(
        code === 'LOAD_FAILED' ? `${host} does not answer. Start one: npx @postern/gateway dev` : (fix ?? message),
      ),
    )
  }

  return {
    show(options) {
      onProblem('')
      host = options.host ?? ''
      const { locale, theme, features, metadata, ...others } = options
      // A removed option has no value to change to.
      const kept = JSON.stringify([others, Object.keys({ ...features }), locale === undefined, metadata === undefined])
      if (postern !== undefined && kept === fixed) {
        postern.setOptions({ locale, theme: theme ?? {}, features, metadata })
        return
      }
      fixed = kept
      start(options)
    },
    open() {
      onProblem('')
      postern?.open().catch(() => {})
    },
    end,
  }
}
