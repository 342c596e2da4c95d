/**
 * Gives each test file new modules and an empty document, for tests of modules with state.
 * Several files share a process and its document.
 */
import { vi } from 'vitest'

vi.resetModules()
vi.unstubAllGlobals()
if (typeof document !== 'undefined') document.body.replaceChildren()
