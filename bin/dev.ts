#!/usr/bin/env -S npx tsx
import { main } from '../src/cli.ts';

process.exitCode = await main(process);
