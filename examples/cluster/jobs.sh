#!/bin/bash
# A sweep whose workers are jobs of their own: sbatch jobs.sh. This job only hands out shards; when it ends, its workers do.
# Killed or out of time, the same script goes on where it was.
#SBATCH --job-name=bouton
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=08:00:00
set -eu
# A folder that all nodes see.
TO=${SCRATCH:-$HOME}/kotzig
python -m bouton sweep 'Gamma(m1,m2;n)' --m1 1..200 --m2 1..200 --n 1..120 --to "$TO" \
    --cluster slurm --workers 64 --option walltime=08:00:00 --option memory=2GB
python -m bouton catalogue "$TO" -o "$TO.parquet"
