import { initialStateFrom } from '@postern/client/server'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from './Providers'

export const metadata = { title: 'Postern with Next.js' }

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The server renders the account of the last visit, so that the page does not flash "disconnected".
  const initialState = initialStateFrom('dev', (await cookies()).toString())
  return (
    <html lang="en">
      <body>
        <Providers initialState={initialState}>{children}</Providers>
      </body>
    </html>
  )
}
