#!/bin/bash
# A sweep within one allocation: sbatch allocation.sh. A scheduler, and a worker for each task.
# Killed or out of time, the same script goes on where it was.
#SBATCH --job-name=bouton
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=08:00:00
set -eu
# A folder that all nodes see.
TO=${SCRATCH:-$HOME}/kotzig
TOLD=$TO.scheduler-$SLURM_JOB_ID.json
python -m dask scheduler --no-dashboard --scheduler-file "$TOLD" &
while [ ! -s "$TOLD" ]; do sleep 1; done
srun python -m dask worker --scheduler-file "$TOLD" --nthreads 1 --memory-limit 0 --no-dashboard --local-directory "${TMPDIR:-/tmp}" &
ADDRESS=$(python -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$TOLD")
python -m bouton sweep 'Gamma(m1,m2;n)' --m1 1..200 --m2 1..200 --n 1..120 --to "$TO" --cluster "$ADDRESS"
python -m bouton catalogue "$TO" -o "$TO.parquet"
rm -f "$TOLD"
