'use client'

import { PosternProvider } from '@postern/client/react'
import type { InitialState } from '@postern/client/server'
import { createSiwx, serverSessions } from '@postern/siwx'
import type { ReactNode } from 'react'

const options = {
  projectId: 'dev',
  host: 'http://127.0.0.1:4400',
  networks: ['ethereum', 'base'],
  siwx: createSiwx({ sessions: serverSessions({ url: '/siwx' }), statement: 'Welcome to the example' }),
}

type ProvidersProps = { readonly initialState: InitialState; readonly children: ReactNode }

export function Providers({ initialState, children }: ProvidersProps) {
  return (
    <PosternProvider options={options} initialState={initialState}>
      {children}
    </PosternProvider>
  )
}
