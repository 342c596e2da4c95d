/** Entry of the console. */
import '@postern/ui/theme.css'
import './page.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { ApiError } from './api'
import { App } from './app'
import { takeProviderAnswer } from './provider'

const dark = matchMedia('(prefers-color-scheme: dark)')
const followTheme = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'
}
dark.addEventListener('change', followTheme)
followTheme()

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 1 && error instanceof ApiError && error.status === 0,
      staleTime: 5_000,
    },
  },
})

// Before the router reads the address.
const answer = takeProviderAnswer()
const root = document.getElementById('console')
if (root !== null) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <App answer={answer} onSignOut={() => queries.clear()} />
      </BrowserRouter>
    </QueryClientProvider>,
  )
}
