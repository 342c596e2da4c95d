import { namespaces } from '@postern/protocol/namespaces'
import * as z from 'zod/mini'

/** In a known namespace. */
export const ChainId = z.templateLiteral([z.enum(namespaces), ':', z.string()])
