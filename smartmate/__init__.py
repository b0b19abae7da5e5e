import os

# The matrices that the offline policy multiplies are small, and a process serves many students: threads of the linear
# algebra would wait for each other. Read when NumPy is imported, which no module does before this one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
